// Loaded before any TypeScript: an old Node cannot parse TypeScript, and its own error would not say why.
const wanted = 24;
const actual = Number(process.versions.node.split('.')[0]);
if (actual < wanted) {
  process.stderr.write(
    `SmartPause needs Node ${wanted} or newer, and this is Node ${process.versions.node}. ` +
      'Run it through npm (npm start, npm test): "npm ci" brings a fitting Node of its own. ' +
      'If it was left out (npm ci --omit=optional, or a platform without one), install Node ' +
      `${wanted} from https://nodejs.org.\n`,
  );
  process.exit(1);
}

// Caches the compiled TypeScript for the next start. Without a writable folder it compiles every time.
require('node:module').enableCompileCache(
  require('node:path').join(__dirname, '../node_modules/.cache/compiled'),
);
