/**
 * The script that users would write instead: it polls the same page as often with the
 * official SDK, and pauses one campaign after the other. Its settings are in the environment.
 */
import * as sdk from 'facebook-nodejs-business-sdk';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const { GRAPH_URL, STATUS_URL, TOKEN, ACCOUNT, POLL_MS } = z
  .object({
    GRAPH_URL: z.url(),
    STATUS_URL: z.url(),
    TOKEN: z.string(),
    ACCOUNT: z.string(),
    POLL_MS: z.coerce.number(),
  })
  .parse(process.env);

Object.defineProperty(sdk.FacebookAdsApi, 'GRAPH', { get: () => GRAPH_URL });
Object.defineProperty(sdk.FacebookAdsApi, 'VERSION', { get: () => 'v26.0' });
sdk.FacebookAdsApi.init(TOKEN, 'en_US', false);

const isDisrupted = async (): Promise<boolean> => {
  const answer = await fetch(STATUS_URL);
  return (await answer.text()).includes('High disruptions');
};

process.stdout.write('ready\n');
let wasDisrupted = false;
for (;;) {
  const isNow = await isDisrupted();
  if (isNow && !wasDisrupted) {
    const campaigns = await new sdk.AdAccount(ACCOUNT).getCampaigns(['id', 'status'], { limit: 500 });
    for (const { id, status } of campaigns) {
      if (status === 'ACTIVE') await new sdk.Campaign(id).update([], { status: 'PAUSED' });
    }
  }
  wasDisrupted = isNow;
  await sleep(POLL_MS);
}
