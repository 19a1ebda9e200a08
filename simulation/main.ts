import { parseArgs } from 'node:util';
import { buildStage, inventAll, playHistory } from './play.ts';

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '100' }, from: { type: 'string', default: '1' } },
});
const stage = await buildStage();
const seeds = Number(values.seeds);
const from = Number(values.from);
let failed = 0;
const realNow = process.hrtime.bigint();
for (let seed = from; seed < from + seeds; seed += 1) {
  const { history, cast } = inventAll(String(seed));
  const verdict = await playHistory(stage, history, cast);
  if (process.env['V'])
    console.log(
      seed,
      history.moments.length,
      'moments',
      verdict.steps,
      'steps',
      verdict.statements,
      'statements',
      (verdict.virtualMs / 3.6e6).toFixed(0),
      'h',
      verdict.facts,
    );
  if (verdict.violations.length > 0) {
    failed += 1;
    console.log(`seed ${seed}: ${verdict.violations.slice(0, 3).join('\n   ')}`);
  }
}
const ms = Number(process.hrtime.bigint() - realNow) / 1e6;
console.log(`${seeds} seeds, ${failed} failed, ${(ms / seeds).toFixed(0)} ms each`);
