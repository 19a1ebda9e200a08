import { join } from 'node:path';
import { readConfig } from '../../src/server/config.ts';
import { runServer } from '../../src/server/main.ts';
import { OffsetClock } from '../outside/offset-clock.ts';
import { prepareDevelopment } from '../development.ts';
import { ROOT } from '../run.ts';

// The product with the built web app and a clock that its parent moves, for browser tests. It ends with its parent.
const clock = new OffsetClock();
process.on('message', ({ advanceMs }: { advanceMs: number }) => clock.advance(advanceMs));
process.once('disconnect', () => process.exit(0));
const { environment, ownsDatabase, stop } = await prepareDevelopment(process.env);
const webFolder = join(ROOT, 'dist/web');
await runServer(readConfig(environment), { webFolder, clock, ownsDatabase, afterClose: stop });
