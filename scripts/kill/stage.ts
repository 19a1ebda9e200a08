import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../outside/free-port.ts';
import { buildWeb } from '../build.ts';
import { SIMULATED_STRIPE } from '../outside/stripe.ts';
import type { Simulators } from '../outside/simulators.ts';
import { SIMULATED_APP, SIMULATORS, startSimulators } from '../outside/simulators.ts';
import { ROOT } from '../run.ts';
import type { Cast, CastSize } from './cast.ts';
import { enterCast } from './cast.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { Dice } from './dice.ts';
import { Fleet } from './fleet.ts';
import { OwnPostgres } from '../outside/own-postgres.ts';
import { SmallDisk } from './small-disk.ts';

export interface StageOptions extends CastSize {
  processes: number;
  seed: number;
  /** How long a dead process's work waits, in milliseconds; null: the product as `npm start` runs it. */
  leaseMs: number | null;
  /** The database lives on a disk of its own, which is that small. */
  diskMegabytes?: number;
}

/** All that a run takes place on: the outside world, the database, the product's processes, and the people. */
export interface Stage {
  options: StageOptions;
  dice: Dice;
  simulators: Simulators;
  fleet: Fleet;
  cast: Cast;
  postgres: OwnPostgres;
  /** Between the product and PostgreSQL. */
  proxy: CuttingProxy;
  /** The database's own disk, if it has one. */
  disk: SmallDisk | null;
  /** What a trouble wants to be said of itself. */
  notes: string[];
  /** What must never stand in a log. */
  secrets: () => string[];
  readLog: () => Promise<string>;
  close: () => Promise<void>;
}

/** The platform needs that long for every answer, so that there is something to be killed in the middle of. */
const LATENCY_MS = 40;

export async function setStage(options: StageOptions): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'smartpause-kill-'));
  // PostgreSQL runs as nobody when this runs as root, and has its folder in this one.
  await chmod(folder, 0o711);
  const dice = new Dice(options.seed);
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const one of closing.splice(0).reverse()) await one();
  };
  try {
    const simulators = await startSimulators(SIMULATORS, 'free');
    closing.push(() => simulators.stop());
    const { diskMegabytes } = options;
    const home = join(folder, 'database');
    const disk = diskMegabytes === undefined ? null : new SmallDisk(home, diskMegabytes);
    if (disk !== null) {
      closing.push(() => {
        disk.remove();
        return Promise.resolve();
      });
    }
    const postgres = await OwnPostgres.start(join(home, 'postgres'));
    closing.push(() => postgres.end('immediate'));
    await postgres.createDatabase('product');
    const proxy = new CuttingProxy(postgres.port, dice);
    await proxy.listen();
    closing.push(() => proxy.close());
    const encryptionKey = randomBytes(32).toString('base64');
    const logFile = join(folder, 'log');
    const ports = await freePorts(options.processes);
    const fleet = new Fleet({
      ports,
      program: await programOf(options),
      logFile,
      environment: {
        ...simulators.environment,
        NODE_ENV: 'production',
        DEMO: '1',
        HOST: '127.0.0.1',
        PUBLIC_URL: `http://127.0.0.1:${ports[0] ?? 0}`,
        MAIL_FROM: 'SmartPause <mail@example.com>',
        ENCRYPTION_KEY: encryptionKey,
        STATUS_POLL_SECONDS: '0.2',
        LOG_LEVEL: 'info',
        NODE_COMPILE_CACHE: join(tmpdir(), 'smartpause-compile-cache'),
        DATABASE_URL: postgres.urlOf('product', proxy.port),
      },
    });
    closing.push(() => fleet.killAll());
    process.once('exit', () => fleet.killAtOnce());
    await fleet.startAll();
    const cast = await enterCast(simulators, fleet.urlOf(0), options);
    await simulators.graph.post('/latency', { ms: LATENCY_MS });
    const secrets = (): string[] => [
      ...cast.members.map(({ person }) => person.token),
      encryptionKey,
      SIMULATED_APP.META_APP_SECRET,
      SIMULATED_STRIPE.STRIPE_SECRET_KEY,
      SIMULATED_STRIPE.STRIPE_WEBHOOK_SECRET,
      postgres.password,
    ];
    const readLog = (): Promise<string> => readFile(logFile, 'utf8');
    const stands = { options, dice, simulators, fleet, cast, postgres, proxy, disk };
    return { ...stands, notes: [], secrets, readLog, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function programOf({ leaseMs }: StageOptions): Promise<string[]> {
  const { folder } = await buildWeb();
  return leaseMs === null
    ? [join(ROOT, 'scripts/start.ts')]
    : [join(import.meta.dirname, 'product.ts'), folder, String(leaseMs)];
}
