import { join } from 'node:path';
import { readConfig } from '../../src/server/config.ts';
import { runServer } from '../../src/server/main.ts';
import { ROOT } from '../run.ts';

// The product with the built web app, for browser tests. It ends with the process that holds its standard input.
process.stdin.resume();
process.stdin.once('end', () => process.exit(0));
await runServer(readConfig(process.env), { webFolder: join(ROOT, 'dist/web') });
