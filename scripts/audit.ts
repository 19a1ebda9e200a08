import { spawnSync } from 'node:child_process';
import { takeNoArguments } from './arguments.ts';
import { ROOT } from './run.ts';

// Build-time packages are audited too: they produce the web app. An unreachable registry is not a failure.
takeNoArguments('npm run audit    asks the registry for known vulnerabilities; fails at grave ones');
const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd: ROOT, encoding: 'utf8' });
const counts = /"vulnerabilities": (\{\s*"info"[^}]*\})/.exec(stdout)?.[1];
if (counts === undefined) {
  console.log('The registry did not answer the audit: nothing is known about vulnerabilities.');
} else {
  const { total = 0, high = 0, critical = 0 } = JSON.parse(counts) as Record<string, number>;
  console.log(total === 0 ? 'No known vulnerabilities.' : `Known vulnerabilities: ${counts}`);
  if (high + critical > 0) process.exitCode = 1;
}
