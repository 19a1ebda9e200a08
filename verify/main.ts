import { simulate } from './simulation/command.ts';

const [name, ...args] = process.argv.slice(2);
if (name !== 'simulate') {
  console.error('npm run verify -- simulate [options]');
  process.exit(2);
}
process.exitCode = await simulate(args);
