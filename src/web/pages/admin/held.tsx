import { Badge, Card, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { HeldEntry } from '#contract/admin.ts';
import { relativeTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { hasFailed } from '../../admin-queries.ts';
import { useHeld } from '../../admin-questions.ts';
import { atTime } from '../../times.ts';
import { useNow } from '../../use-now.ts';
import classes from './admin.module.css';
import { HeldTools } from './held-tools.tsx';
import { STATE_WORDS, outlookWords, whyWords } from './held-words.ts';
import { LoadNotice } from './load-notice.tsx';
import { Pager } from './pager.tsx';
import { useAdminAddress } from './use-address.ts';

/** Who is held and why, and when that is over. */
export function Held() {
  const { address, narrow } = useAdminAddress();
  const { person, campaign, state, order, after } = address;
  const isNarrowed = person.trim() !== '' || campaign.trim() !== '' || state !== undefined;
  const page = useHeld({
    ...(person.trim() !== '' && { person }),
    ...(campaign.trim() !== '' && { campaign }),
    state,
    order,
    after: after?.startsWith('act_') === true ? undefined : after,
  });
  return (
    <>
      <LoadNotice hasFailed={hasFailed(page)} reload={async () => (await page.refetch()).isSuccess} />
      <Card component="section" padding={0} aria-labelledby="held" aria-busy={page.data === undefined}>
        <div className={classes.head}>
          <Title order={2} fz="lg" id="held">
            Who is held, and why
          </Title>
          <Text c="dimmed" fz="sm" mt={4} mb="md">
            Campaigns that SmartPause has paused and has not let go of.
          </Text>
          <HeldTools address={address} narrow={narrow} />
          <div role="status">
            {page.data?.hasMorePeople === true && (
              <Text fz="sm" c="dimmed" mt="sm">
                Very many people are called so: only the first 1,000 of them are looked at.
              </Text>
            )}
            {page.data?.held.length === 0 && (
              <Text c="dimmed" ta="center" py="xl">
                {emptyWords({ isNarrowed, hasMore: page.data.next !== null, isLater: after !== undefined })}
              </Text>
            )}
          </div>
        </div>
        {page.data === undefined ? <Placeholder /> : <List held={page.data.held} />}
        <Pager address={address} next={page.data?.next ?? null} />
      </Card>
    </>
  );
}

function emptyWords(given: { isNarrowed: boolean; hasMore: boolean; isLater: boolean }): string {
  if (given.hasMore) return 'None among the ones looked at so far. The next page looks further.';
  if (given.isLater) return 'There is nothing more.';
  return given.isNarrowed ? 'Nothing is held that fits.' : 'Nothing is held.';
}

function List({ held }: { held: readonly HeldEntry[] }) {
  const now = useNow();
  return (
    <ul className={classes.rows}>
      {held.map((one) => (
        <Entry key={one.id} held={one} now={now} />
      ))}
    </ul>
  );
}

function Entry({ held, now }: { held: HeldEntry; now: Instant }) {
  const { person, campaign, accountId, state, inDoubt, lastError } = held;
  const since = Date.parse(held.since);
  const { word, color } = STATE_WORDS[state];
  return (
    <li className={classes.row}>
      <div className={classes.cell}>
        <Text fz="sm" fw={600}>
          {campaign.name ?? `Campaign ${campaign.id}`}
        </Text>
        <Text fz="sm">{person.name}</Text>
        <Text fz="xs" c="dimmed" className={`figures ${classes.ids ?? ''}`}>
          <span>Campaign {campaign.id}</span>
          <span>{accountId}</span>
          <span>Person {person.id}</span>
        </Text>
      </div>
      <div className={classes.cell}>
        <div className={classes.badges}>
          <Badge color={color}>{word}</Badge>
          {inDoubt && <Badge color="red">In doubt</Badge>}
          <Text span fz="sm" c="dimmed" className="figures">
            since <time dateTime={held.since}>{atTime(since, now)}</time>, {relativeTime(since, now)}
          </Text>
        </div>
        <Text fz="sm" c="dimmed" mt={4}>
          {whyWords(held)}
        </Text>
      </div>
      <div className={classes.cell}>
        <Text fz="sm" fw={550} className="figures">
          {outlookWords(held, now)}
        </Text>
        {lastError !== null && (
          <Text fz="sm" c="var(--status-high)">
            Last error: {lastError}
          </Text>
        )}
      </div>
    </li>
  );
}

function Placeholder() {
  return (
    <Stack gap="sm" px="lg" pb="lg">
      {[1, 2, 3, 4, 5].map((n) => (
        <Skeleton key={n} h={56} data-testid="held-placeholder" />
      ))}
    </Stack>
  );
}
