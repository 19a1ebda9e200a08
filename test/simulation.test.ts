import { expect, test } from 'vitest';
import { mutate } from '../verify/fixtures/planted-fault.ts';
import { MUTANTS } from '../verify/simulation/mutants.ts';

test('every mutant applies to the source', () => {
  for (const [name, fault] of Object.entries(MUTANTS)) expect(() => mutate(fault), name).not.toThrow();
});
