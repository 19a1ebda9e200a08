import { buildWeb } from '../../scripts/build.ts';

/** Builds the web app once, before any test runs. */
export async function setup(): Promise<void> {
  await buildWeb();
}
