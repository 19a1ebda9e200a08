import type { Mail } from '../../simulators/mailbox/mails.ts';
import type { PlatformWrite } from '../outside/control-door.ts';
import { waitFor } from '../outside/wait-for.ts';
import type { CastCampaign, Member } from './cast.ts';
import { readExports } from './finish.ts';
import type { UnexpectedEnd } from './server-process.ts';
import type { Stage } from './stage.ts';
import type { Export, Story } from './story.ts';

/** All that can be seen from the outside once a run is over. */
export interface Evidence {
  campaigns: readonly CastCampaign[];
  people: readonly Pick<Member, 'index' | 'email' | 'threshold' | 'delayMs'>[];
  writes: readonly PlatformWrite[];
  finalStatus: ReadonlyMap<string, string>;
  /** In the order of `people`. */
  exports: readonly Export[];
  mails: readonly Mail[];
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
    log: await stage.readLog(),
    secrets: stage.secrets(),
    unexpectedEnds: fleet.unexpectedEnds,
    story,
  };
}
