import { expect, test } from 'vitest';
import { mutate } from '../verify/fixtures/planted-fault.ts';
import { KINDS } from '../verify/histories.ts';

test('every planted fault of the simulation and of the model applies to the source', () => {
  const faults = { ...KINDS.simulation.mutants, ...KINDS.model.mutants };
  for (const [name, fault] of Object.entries(faults)) expect(() => mutate(fault), name).not.toThrow();
});
