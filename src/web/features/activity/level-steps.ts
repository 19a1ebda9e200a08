import type { Level } from '#core/smartpause/level.ts';

export interface LevelStep {
  level: Level;
  from: number;
  to: number;
}

/** Each level with its end: the next one, or the end of the outage. */
export function stepsOf(levels: readonly { level: Level; at: string }[], end: number): LevelStep[] {
  return levels.map(({ level, at }, index) => {
    const next = levels[index + 1];
    const from = Date.parse(at);
    return { level, from, to: next === undefined ? Math.max(end, from) : Date.parse(next.at) };
  });
}
