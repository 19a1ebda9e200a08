import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildWeb } from './build.ts';
import { ConfigError, readConfig } from '../src/server/config.ts';
import { runServer } from '../src/server/main.ts';

const root = join(import.meta.dirname, '..');

/** What the simulators are reached by; they accept exactly this app. */
const SIMULATED_APP = { META_APP_ID: '1000000000000001', META_APP_SECRET: 'simulated-app-secret' };

type Simulator = 'meta-graph' | 'meta-status';

/** A service that is configured is real; one that is not is played by a program beside the product. */
function missingServices(env: NodeJS.ProcessEnv): Simulator[] {
  const given = (...names: string[]): boolean => names.some((name) => (env[name] ?? '') !== '');
  const platform = given('META_APP_ID', 'META_APP_SECRET', 'META_GRAPH_URL', 'META_DIALOG_URL');
  const status = platform || given('META_STATUS_URL');
  return [...(platform ? [] : ['meta-graph' as const]), ...(status ? [] : ['meta-status' as const])];
}

/** Starts the simulators as a program of their own, which ends when this one does. */
async function startSimulators(names: readonly Simulator[]): Promise<Map<Simulator, string>> {
  const args = [join(root, 'simulators/main.ts'), '--only', names.join(','), '--with-parent'];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the simulators ended at once (exit code ${String(code)}); is their port taken?`);
  });
  const urls = new Map<Simulator, string>();
  const ready = (async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      const { simulator, url } = JSON.parse(line) as { simulator: Simulator; url: string };
      urls.set(simulator, url);
      if (urls.size === names.length) return;
    }
  })();
  await Promise.race([ready, failed]);
  failed.catch(() => undefined);
  return urls;
}

async function main(): Promise<void> {
  const missing = missingServices(process.env);
  if (process.env['NODE_ENV'] === 'production' && missing.length > 0 && process.env['DEMO'] !== '1') {
    throw new ConfigError(
      `Not configured: ${missing.join(', ')}. In production nothing is simulated (set DEMO=1 for a demonstration). ` +
        'See .env.example.',
    );
  }
  const urls = missing.length === 0 ? new Map<Simulator, string>() : await startSimulators(missing);
  const graphUrl = urls.get('meta-graph');
  const statusUrl = urls.get('meta-status');
  const config = readConfig({
    ...process.env,
    ...(graphUrl === undefined
      ? {}
      : { ...SIMULATED_APP, META_GRAPH_URL: graphUrl, META_DIALOG_URL: graphUrl }),
    ...(statusUrl === undefined ? {} : { META_STATUS_URL: statusUrl }),
  });
  await buildWeb();
  const practice = [...urls.values()].map((url) => `${url}/_sim`);
  await runServer(config, { webFolder: join(root, 'dist/web'), practice });
  say(config.publicUrl, urls);
}

function say(publicUrl: string, urls: ReadonlyMap<Simulator, string>): void {
  const lines = ['', `  SmartPause is running: ${publicUrl}`];
  for (const [name, url] of urls) lines.push(`  Simulated, not real:   ${name}, control page ${url}/_sim`);
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

main().catch((error: unknown) => {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`${process.env['LOG_LEVEL'] === 'debug' ? (stack ?? message) : message}\n`);
  process.exit(1);
});
