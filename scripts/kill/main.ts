import type { RunReport } from './run.ts';
import { perform } from './run.ts';
import type { KillOptions } from './options.ts';
import { readOptions } from './options.ts';
import type { Scenario } from './scenarios.ts';
import { SCENARIOS } from './scenarios.ts';
import { CannotBeTried } from './small-disk.ts';

/** Kills the product, and all that it stands on, and holds what came of it against the rules. */
async function main(): Promise<void> {
  const options = readOptions();
  const wanted = SCENARIOS.filter(({ name }) => options.only === null || options.only === name);
  let broken = 0;
  for (const scenario of wanted) broken += await runOne(scenario, options);
  say(broken === 0 ? '\nNothing lost, nothing doubled, nothing stranded.' : `\n${broken} rules were broken.`);
  process.exitCode = broken === 0 ? 0 : 1;
}

async function runOne(scenario: Scenario, options: KillOptions): Promise<number> {
  const { seed, kills } = options;
  const processes = options.processes ?? scenario.processes;
  say(`\n${scenario.name} (seed ${seed}): ${scenario.what}`);
  try {
    const onKill = (done: number): void => {
      if (done % 20 === 0) say(`  ${done} kills`);
    };
    const stage = { ...scenario.stage, processes, seed };
    report(await perform(stage, scenario.trouble({ kills, onKill })));
    return 0;
  } catch (error) {
    if (error instanceof CannotBeTried) {
      say(`  not tried: ${error.message}`);
      return 0;
    }
    const reasons = error instanceof RulesBroken ? error.broken : [describe(error)];
    for (const reason of reasons) say(`  BROKEN  ${reason}`);
    return reasons.length;
  }
}

class RulesBroken extends Error {
  override readonly name = 'RulesBroken';
  readonly broken: readonly string[];

  constructor(broken: readonly string[]) {
    super(`${broken.length} rules were broken`);
    this.broken = broken;
  }
}

/** @throws RulesBroken */
function report({ counts, broken, ...run }: RunReport): void {
  const figures = [
    `${run.seconds.toFixed(0)} s`,
    `${run.kills} kills`,
    `${run.flips} changes of the status`,
    `${counts.pauses} pauses, ${counts.resumes} resumes (${counts.repeated} writes repeated)`,
    `${counts.hands} hands outside, ${counts.presses} presses, faults ${run.faults} times`,
    `${counts.mails} mails (${counts.mailsTwice} arrived twice)`,
    `a start takes ${run.startMs} ms`,
    ...run.notes,
  ];
  for (const figure of figures) say(`  ${figure}`);
  if (broken.length > 0) throw new RulesBroken(broken);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined
    ? (error.stack ?? error.message)
    : `${error.message}: ${describe(error.cause)}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
