import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { History } from '../../../verify/model/history.ts';

const PARTS = 60;
const HISTORIES = 50;
const seen = new Set<string>();
let holds = 0;

test.each(Array.from({ length: PARTS }, (_none, part) => part))(
  '[ENG-14] [ENG-15] [ENG-16] [ENG-17] [ENG-18] random histories break no rule: part %i',
  (part) => {
    const failed: string[] = [];
    for (let count = 1; count <= HISTORIES; count += 1) {
      const name = `unit/${part * HISTORIES + count}`;
      const history = new History(name).play();
      holds += history.holds;
      for (const transition of history.transitions) seen.add(transition);
      failed.push(...history.rules.violations.map((one) => `${name}: ${one}`));
    }
    expect(failed).toEqual([]);
  },
);

// Meta's log lacks its newest entries for minutes: then it names an earlier change of someone else as the last.
test('[ENG-17] the model believes the log as the reconciler does', () => {
  expect(new History('7101792').play().rules.violations).toEqual([]);
});

test('the histories have taken exactly the transitions that ARCHITECTURE.md draws', () => {
  expect(holds).toBeGreaterThan(1500);
  const drawings = [
    ...readFileSync('ARCHITECTURE.md', 'utf8').matchAll(/```mermaid\nstateDiagram-v2\n([\s\S]*?)```/g),
  ];
  const drawing = drawings.find(([, text = '']) => text.includes('cancelling'))?.[1] ?? '';
  const drawn = [...drawing.matchAll(/^\s*(\S+ --> [^\s:]+)/gm)].map(([, arrow]) => arrow);
  expect([...seen].sort()).toEqual(drawn.sort());
});
