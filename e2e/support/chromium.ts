import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { LaunchOptions } from '@playwright/test';
import { inflate } from '@sparticuz/chromium';

const args = ['--disable-quic', '--disable-gpu', '--font-render-hinting=none'];
const ARCHIVES = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br'];

/** The browser named by CHROME_PATH, else the one inside node_modules, else an installed Chrome. */
export async function chromiumOptions(): Promise<LaunchOptions> {
  const named = process.env['CHROME_PATH'];
  if (named) return { executablePath: named, args };
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome', args };
  const home = await unpackChromium();
  return { executablePath: join(home, 'chromium'), env: environment(home), args };
}

/**
 * Unpacks the browser of @sparticuz/chromium with its libraries and fonts, so that a bare machine needs no
 * packages. The package itself does so only inside Lambda, and in a temporary folder that all users share.
 */
async function unpackChromium(): Promise<string> {
  const folder = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')));
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  const base = join(homedir(), '.cache/smartpause-chromium');
  const home = join(base, version);
  if (existsSync(home)) return home;
  await mkdir(base, { recursive: true });
  const staging = await mkdtemp(join(base, 'unpacking-'));
  try {
    await Promise.all(inflateInto(staging, join(folder, 'bin')));
    await writeFile(join(staging, 'fonts', 'fonts.conf'), fontsConf(home));
    await rename(staging, home);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(home)) throw error;
  }
  return home;
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

function environment(home: string): Record<string, string> {
  const libraries = [join(home, 'al2023', 'lib'), process.env['LD_LIBRARY_PATH']].filter(Boolean);
  return {
    ...(process.env as Record<string, string>),
    LD_LIBRARY_PATH: libraries.join(':'),
    FONTCONFIG_FILE: join(home, 'fonts', 'fonts.conf'),
    HOME: home,
  };
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
