import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { NotUnderstood, readArguments } from '../scripts/arguments.ts';
import { takeReadmePictures } from './support/readme-pictures.ts';
import { ROOT } from '../scripts/run.ts';
import { CATALOGUE } from './states/catalogue.ts';

// Screenshots of every state of every page: `npm run screenshots`. Select by area or name:
// `npm run screenshots -- dashboard settings/saved`.

const README = 'readme';
const names = Object.keys(CATALOGUE);

const USAGE = `npm run screenshots -- [area | area/state …]    pictures in screenshots/
npm run screenshots -- readme    the pictures of the README, from the running demo

Areas: ${[...new Set(names.map((name) => name.split('/')[0]))].join(', ')}`;

const wanted = readArguments({ usage: USAGE, takesWords: true }, ({ words }) => {
  const unknown = words.filter((one) => one !== README && !names.some((name) => name.startsWith(one)));
  if (unknown.length > 0) throw new NotUnderstood(`There is no ${unknown.join(', ')}.`);
  return words;
});

if (wanted.length === 1 && wanted[0] === README) await takeReadmePictures();
else {
  const grep = wanted.length === 0 ? [] : ['--grep', `state (${wanted.join('|')})`];
  const program = join(ROOT, 'node_modules/@playwright/test/cli.js');
  const args = ['test', '--config', join(ROOT, 'e2e/playwright.config.ts'), '--project=e2e', 'states.spec'];
  const env = { ...process.env, STATES: 'all', SCREENSHOTS: '1' };
  const child = spawn(process.execPath, [program, ...args, ...grep], { cwd: ROOT, stdio: 'inherit', env });
  child.once('exit', (code) => (process.exitCode = code ?? 1));
}
