import { NotUnderstood, readArguments } from '../scripts/arguments.ts';
import { takeReadmePictures } from './support/readme-pictures.ts';
import { runPlaywright } from '../scripts/run.ts';
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
  const args = ['--project=e2e', 'states.spec', ...grep];
  process.exitCode = await runPlaywright(args, { STATES: 'all', SCREENSHOTS: '1' });
}
