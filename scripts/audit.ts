import { spawnSync } from 'node:child_process';
import { ROOT } from './run.ts';
import { takeNoArguments } from './arguments.ts';

/**
 * Checks every package of the lock file for known vulnerabilities, build-time packages
 * too: they produce the web app. An unreachable registry is reported and is not a failure.
 */
interface Report {
  metadata?: { vulnerabilities?: Partial<Record<string, number>> };
}

const GRAVE = ['high', 'critical'];

function readReport(text: string): Report {
  try {
    return JSON.parse(text) as Report;
  } catch {
    return {};
  }
}

takeNoArguments('npm run audit    asks the registry for known vulnerabilities; fails at grave ones');
const { stdout } = spawnSync('npm', ['audit', '--json'], {
  cwd: ROOT,
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
const counts = readReport(stdout).metadata?.vulnerabilities;
if (counts === undefined) {
  console.log('The registry did not answer the audit: nothing is known about vulnerabilities.');
} else {
  const found = Object.entries(counts).filter(([kind, count = 0]) => kind !== 'total' && count > 0);
  console.log(
    found.length === 0 ? 'No known vulnerabilities.' : `Known vulnerabilities: ${found.join('; ')}`,
  );
  if (found.some(([kind]) => GRAVE.includes(kind))) process.exitCode = 1;
}
