import { existsSync, rmSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inflate } from '@sparticuz/chromium';

/** How to start the Chromium in node_modules. */
export interface BundledChromium {
  executable: string;
  env: Record<string, string>;
}

const ARCHIVES = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br'];

/**
 * Unpacks the browser of @sparticuz/chromium with its libraries and fonts, so that a bare machine needs no
 * packages. The package itself does so only inside Lambda, and in a temporary folder that all users share.
 */
export async function unpackChromium(): Promise<BundledChromium> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('No Chromium comes along for this machine: set CHROME_PATH to a Chrome or Chromium.');
  }
  const folder = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')));
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  const base = await ownFolder();
  const home = join(base, version);
  if (!existsSync(home)) await unpackInto(home, base, join(folder, 'bin'));
  return { executable: join(home, 'chromium'), env: environment(home) };
}

async function unpackInto(home: string, base: string, archives: string): Promise<void> {
  const staging = await mkdtemp(join(base, 'unpacking-'));
  try {
    await Promise.all(inflateInto(staging, archives));
    await writeFile(join(staging, 'fonts', 'fonts.conf'), fontsConf(home));
    await rename(staging, home);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (!existsSync(home)) throw error;
  }
}

/** `inflate` reads TMPDIR before its first await, so no other code sees the changed variable. */
function inflateInto(target: string, archives: string): Promise<string>[] {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = target;
  try {
    return ARCHIVES.map((name) => inflate(join(archives, name)));
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

/** A folder that only this user can write to; a new one when another user owns the usual name. */
async function ownFolder(): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const usual = join(tmpdir(), `smartpause-chromium-${uid}`);
  await mkdir(usual, { recursive: true, mode: 0o700 }).catch(() => undefined);
  const found = await lstat(usual).catch(() => null);
  if (found?.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0) return usual;
  const instead = await mkdtemp(join(tmpdir(), `smartpause-chromium-${uid}-`));
  process.once('exit', () => rmSync(instead, { recursive: true, force: true }));
  return instead;
}

function environment(home: string): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value;
  const libraries = join(home, 'al2023', 'lib');
  const more = env['LD_LIBRARY_PATH'];
  env['LD_LIBRARY_PATH'] = more ? `${libraries}:${more}` : libraries;
  env['FONTCONFIG_FILE'] = join(home, 'fonts', 'fonts.conf');
  env['HOME'] = home;
  return env;
}

function fontsConf(home: string): string {
  const prefer = (family: string) =>
    `<alias><family>${family}</family><prefer><family>Open Sans</family></prefer></alias>`;
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${home}/fonts/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${home}/fonts-cache</cachedir>
  ${prefer('sans-serif')}${prefer('system-ui')}
</fontconfig>
`;
}
