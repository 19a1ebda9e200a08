import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { startPostgres, type RunningPostgres } from './support/postgres.ts';

afterEach(() => vi.unstubAllEnvs());

async function ask(url: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ version: string }>('show server_version');
  await client.end();
  return rows[0];
}

it('starts a server, stops it and leaves no files behind', async () => {
  vi.stubEnv('TEST_DATABASE_URL', '');
  const server = await startPostgres();
  expect(await ask(server.url)).toBeDefined();
  await server.stop();
  expect(fs.existsSync(server.folder)).toBe(false);
  await expect(ask(server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

it('does not outlive a killed parent', async () => {
  const module = pathToFileURL(path.join(import.meta.dirname, 'support/postgres.ts')).href;
  const script = `import { startPostgres } from '${module}'; console.log(JSON.stringify(await startPostgres()));`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, NODE_OPTIONS: '', TEST_DATABASE_URL: '' },
  });
  const [said] = (await once(parent.stdout, 'data')) as [Buffer];
  const server = JSON.parse(said.toString()) as RunningPostgres;
  expect(await ask(server.url)).toBeDefined();
  parent.kill('SIGKILL');
  await vi.waitFor(() => expect(fs.existsSync(server.folder)).toBe(false), 10_000);
  await expect(ask(server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
