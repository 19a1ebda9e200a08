import pg from 'pg';
import type { Mail } from '../../simulators/mailbox/mails.ts';
import type { PlatformWrite } from '../outside/control-door.ts';
import { waitFor } from '../outside/wait-for.ts';
import type { CastCampaign, Member } from './cast.ts';
import { readExports } from './finish.ts';
import type { UnexpectedEnd } from './server-process.ts';
import type { Stage } from './stage.ts';
import type { Export, Story } from './story.ts';

/** An event of a campaign in the activity log, and the email that it belongs to. */
export interface LoggedEvent {
  /** The user's address. */
  to: string;
  account: string;
  campaign: string;
  event: string;
  /** The email's row; null: no email tells of this event. */
  mail: string | null;
}

/** All that can be seen from the outside once a run is over, and which email each event belongs to. */
export interface Evidence {
  campaigns: readonly CastCampaign[];
  people: readonly Pick<Member, 'index' | 'email' | 'threshold' | 'delayMs'>[];
  writes: readonly PlatformWrite[];
  finalStatus: ReadonlyMap<string, string>;
  /** In the order of `people`. */
  exports: readonly Export[];
  mails: readonly Mail[];
  /** Oldest first. */
  events: readonly LoggedEvent[];
  log: string;
  secrets: readonly string[];
  unexpectedEnds: readonly UnexpectedEnd[];
  story: Story;
}

export async function gather(stage: Stage, story: Story): Promise<Evidence> {
  const { simulators, cast, fleet } = stage;
  const exports = await waitFor("everybody's data", () => readExports(stage));
  const now = await simulators.graph.campaigns();
  return {
    campaigns: cast.campaigns,
    people: cast.members,
    writes: await simulators.graph.writes(),
    finalStatus: new Map([...now.values()].map(({ id, status }) => [id, status])),
    exports,
    mails: await simulators.mailbox.messages(),
    events: await readEvents(stage.postgres.urlOf('product')),
    log: await stage.readLog(),
    secrets: stage.secrets(),
    unexpectedEnds: fleet.unexpectedEnds,
    story,
  };
}

async function readEvents(connectionString: string): Promise<LoggedEvent[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<LoggedEvent>(`
      select person.email as to, account_id as account, campaign_id as campaign, event, mail_id::text as mail
      from activity join person on person.id = person_id where campaign_id is not null order by at, activity.id`);
    return rows;
  } finally {
    await client.end();
  }
}
