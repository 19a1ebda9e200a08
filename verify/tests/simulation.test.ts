import { expect, test } from 'vitest';
import { Player } from '../simulation/player.ts';

test('a simulated history is identical when it is played again: every statement, with its values', async () => {
  const player = new Player(null);
  try {
    const first = await player.play({ seed: '3', only: null });
    const again = await player.play({ seed: '3', only: null });
    expect(first.violations).toEqual([]);
    expect(first.facts['writes']).toBeGreaterThan(0);
    expect(again.digest).toBe(first.digest);
  } finally {
    player.stop();
  }
});
