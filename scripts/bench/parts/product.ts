/**
 * The product as `npm start` runs it, with settings from the environment. The arguments are
 * the folder of the built web app and the number of ad accounts that are processed at a time.
 */
import { readConfig } from '../../../src/server/config.ts';
import { runServer } from '../../../src/server/main.ts';

const [webFolder = '', concurrency = ''] = process.argv.slice(2);
await runServer(readConfig(process.env), {
  webFolder,
  ...(concurrency === '' ? {} : { concurrency: Number(concurrency) }),
});
