import { Alert, Box, Code, Group, SimpleGrid, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { SystemHealth } from '#contract/system-health.ts';
import type { AppStop } from '#core/app-state.ts';
import { LEVEL_WORDS, figure } from '#core/labels.ts';
import { fullTime, relativeTime } from '#core/new-york.ts';
import { effectiveLevel } from '#core/smartpause/level.ts';
import { CheckMark } from '../../components/icons.tsx';
import { Muted } from '../../components/muted.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { Time } from '../../components/time.tsx';
import { useNow } from '../../lib/use-now.ts';
import { StatusShape } from '../status/status-mark.tsx';
import { adminStatusQuery, useSystemHealth } from './api.ts';

/** Each part with what its failure means; widest impact first. `stops`: nothing is paused or resumed, for all or for many. */
const PARTS: Record<keyof SystemHealth, readonly [name: string, problem: string, stops?: 'stops']> = {
  statusPage: [
    'Meta’s status page',
    'No new campaigns are paused until it can be read. Scheduled resumes happen on time.',
    'stops',
  ],
  app: [
    'SmartPause’s app at Meta',
    'Nothing is paused or resumed until Meta serves it again, which one call a minute finds out.',
    'stops',
  ],
  queue: ['Work queue', 'Ad accounts wait for Meta, the database or a worker.', 'stops'],
  jobs: [
    'New campaigns and spend',
    'Lists are read late, so new campaigns get SmartPause late, or spend is read a day late. If Meta answers, add a worker.',
  ],
  accounts: ['Ad accounts', 'The last read or write failed. Campaigns there may run on or stay paused.'],
  holds: [
    'Paused campaigns',
    'Their user must log in, lacks access, or Meta’s rate limit blocks the account.',
  ],
  writes: [
    'Pauses and resumes',
    'Meta has not confirmed a change. SmartPause reads the campaign, then finishes.',
  ],
  tokens: [
    'Meta tokens',
    'Their users aren’t protected until they log in again. If tokens can’t be decrypted, restore the missing key in ENCRYPTION_KEY.',
  ],
  tokenChecks: [
    'Token checks',
    'Meta refuses the token of SmartPause’s app. Check META_APP_ID, META_APP_SECRET and the app in Meta’s dashboard.',
  ],
  logins: [
    'Logins',
    'None has succeeded for two days. Log in yourself. Check META_LOGIN_CONFIG_ID, redirect URI and mode of Meta’s app.',
  ],
  emails: [
    'Emails',
    'SmartPause retries for up to five days. The user of an abandoned email was not informed.',
  ],
  subscriptions: ['Subscriptions', 'Stripe doesn’t return them. They keep their last known state.'],
  leaving: ['Account deletions', 'Meta or Stripe hasn’t confirmed a deauthorization or deletion.'],
};

const ALL = Object.keys(PARTS) as (keyof SystemHealth)[];

/** Whether all parts work, which is one line; undefined: not known yet. */
export function useIsNormal(): boolean | undefined {
  const { data, isError, isPending, failureCount } = useSystemHealth();
  if (isPending && failureCount === 0) return undefined;
  return data != null && !isError && failingOf(data).length + data.statusPage.silentIncidents.length === 0;
}

/** @param props.isOverridden then Meta's status is not the normal one */
export function NormalHealth({ isOverridden }: { isOverridden: boolean }) {
  return (
    <Group component="section" aria-label="System health" gap={6} fz="sm" fw={600}>
      <CheckMark />
      <span role="status">{isOverridden ? 'No failures' : 'All systems normal'}</span>
    </Group>
  );
}

/** The parts that fail, with the numbers of the metrics. */
export function SystemHealthCard() {
  const query = useSystemHealth();
  const { data, isError } = query;
  if (data === null) return null;
  return (
    <SectionCard id="system-health" title="System health">
      <QueryContent
        query={query}
        // Old numbers would look like the current ones.
        data={isError ? undefined : data}
        failure="System health couldn’t be loaded."
        heights={[22]}
      >
        {(health) => <Health health={health} />}
      </QueryContent>
    </SectionCard>
  );
}

/** The level that is set for all users, at once; who has set it, and why, as soon as System health has it. */
export function OverrideNotice() {
  const directive = useQuery(adminStatusQuery).data?.adminDirective ?? null;
  const read = useSystemHealth().data?.statusPage.override ?? null;
  const override = read?.directive === directive ? read : null;
  if (directive === null) return null;
  const level = effectiveLevel('UNKNOWN', directive);
  return (
    <Alert color="orange" role="note">
      <Box fz="sm" style={{ overflowWrap: 'anywhere' }}>
        <b>
          <StatusShape level={level} /> {override?.by ?? 'An admin'} has set Meta’s status to{' '}
          {LEVEL_WORDS[level]} for all users
        </b>
        {override !== null && override.since !== null && (
          <>
            {' '}
            since <Time at={override.since} />
          </>
        )}
        {/* Its line is kept, so that nothing moves under the pointer. */}
        <Box mih="1lh">{override !== null && reasonCopy(override.reason)}</Box>
      </Box>
    </Alert>
  );
}

function reasonCopy(reason: string | null): string {
  return reason === null ? 'No reason given.' : `“${reason}”`;
}

function failingOf(health: SystemHealth) {
  return ALL.filter((part) => health[part].needsAttention);
}

function isStopping(part: keyof SystemHealth | undefined): boolean {
  return part !== undefined && PARTS[part][2] === 'stops';
}

const LIST = { spacing: 'xl', verticalSpacing: 'sm', m: 0, p: 0, style: { listStyle: 'none' } } as const;
const ITEM = { gap: 'sm', wrap: 'nowrap', align: 'flex-start', fz: 'sm' } as const;

function Health({ health }: { health: SystemHealth }) {
  const failing = failingOf(health);
  const { silentIncidents } = health.statusPage;
  const stopping = failing.filter(isStopping);
  const others = failing.filter((part) => !isStopping(part));
  const stops = stopping.length;
  const need = `${failing.length} of ${ALL.length} parts ${failing.length === 1 ? 'needs' : 'need'} attention.`;
  return (
    <>
      <Group
        gap={8}
        role="status"
        fw={600}
        c={`var(${failing.length === 0 ? '--mantine-color-text' : stops > 0 ? '--status-high' : '--status-medium'})`}
      >
        {failing.length === 0 && <CheckMark />}
        {failing.length === 0 ? 'All systems normal' : `${need} SmartPause retries what it can.`}
      </Group>
      <Rank title="Stop pauses or resumes" parts={stopping} health={health} />
      <Rank title="Delayed or to be checked" parts={others} health={health} />
      {silentIncidents.map((text) => (
        <Group key={text} {...ITEM} mt="md">
          <Box pt={2}>
            <StatusShape level="UNKNOWN" />
          </Box>
          <Box flex={1} style={{ overflowWrap: 'anywhere' }}>
            <b>Old entry on Meta’s page</b>
            <Muted>{text}</Muted>
          </Box>
        </Group>
      ))}
    </>
  );
}

interface RankProps {
  title: string;
  parts: readonly (keyof SystemHealth)[];
  health: SystemHealth;
}

/** The failing parts of one rank; those that stop nothing are many and short, so they stand in two columns. */
function Rank({ title, parts, health }: RankProps) {
  const id = useId();
  if (parts.length === 0) return null;
  const isStop = isStopping(parts[0]);
  return (
    <>
      <Title order={3} id={id} fz={13} mt="md" mb="xs" {...(isStop && { c: 'var(--status-high)' })}>
        {title} ({figure(parts.length)})
      </Title>
      <SimpleGrid component="ul" aria-labelledby={id} cols={isStop ? 1 : { base: 1, lg: 2 }} {...LIST}>
        {parts.map((part) => {
          const [name, problem] = PARTS[part];
          return (
            <Group component="li" key={part} {...ITEM}>
              <Box pt={2} flex="none">
                <StatusShape level={isStop ? 'HIGH_DISRUPTION' : 'MEDIUM_DISRUPTION'} />
              </Box>
              <Box style={{ overflowWrap: 'anywhere' }}>
                <Group gap="0 8px" className="figures">
                  <b>{name}</b>
                  <Found part={health[part]} />
                </Group>
                <Muted>{withNames([problem, ...detailsOf(health[part])].join(' '))}</Muted>
                <LastError part={health[part]} />
              </Box>
            </Group>
          );
        })}
      </SimpleGrid>
    </>
  );
}

/** As it was received, so that it can be searched for. */
function LastError({ part }: { part: SystemHealth[keyof SystemHealth] }) {
  if (!('trouble' in part) || part.trouble === null) return null;
  return (
    <Muted>
      Last error: <Code fz="xs">{part.trouble}</Code>
    </Muted>
  );
}

/** The numbers of a part, and since when. */
function Found({ part }: { part: SystemHealth[keyof SystemHealth] }) {
  const time = timeOf(part);
  const words = foundCopy(part, useNow());
  return (
    <Text span fz="sm" fw={550}>
      {time === null ? (
        words
      ) : (
        <Time at={time} isRelative>
          <span title={fullTime(Date.parse(time))}>{words}</span>
        </Time>
      )}
    </Text>
  );
}

function timeOf(part: SystemHealth[keyof SystemHealth]): string | null {
  return 'readAt' in part ? part.readAt : part.oldest;
}

/** 'last read 7 minutes ago', '12 due, the oldest 3 minutes ago' or, of a state, 'for 40 minutes'. */
export function foundCopy(part: SystemHealth[keyof SystemHealth], now: number): string {
  const time = timeOf(part);
  const counts = countsOf({ ...part });
  if (time === null) return 'readAt' in part ? 'never read' : counts;
  const age = relativeTime(Date.parse(time), now);
  if ('readAt' in part) return `last read ${age}`;
  const isState = counts === '' || 'usedRatio' in part;
  const lasts = `for ${age === 'just now' ? 'under 1 minute' : age.replace(' ago', '')}`;
  return [counts, isState ? lasts : `the oldest ${age}`.replaceAll(' ', '\u00a0')].filter(Boolean).join(', ');
}

/** Names of settings in the type of code. */
function withNames(text: string) {
  return text
    .split(/\b([A-Z]+(?:_[A-Z]+)+)\b/)
    .map((part, at) => (at % 2 === 0 ? part : <code key={part}>{part}</code>));
}

const CAUSES: Record<AppStop, string> = {
  limited: 'The app has used up its limit, which Meta counts over an hour.',
  blocked: 'Meta has blocked the app: its dashboard says what to do.',
  misconfigured: 'Check META_API_VERSION and META_APP_SECRET.',
};

function detailsOf(part: SystemHealth[keyof SystemHealth]): string[] {
  if ('stopped' in part && part.stopped !== null)
    return [CAUSES[part.stopped], ...(part.said === null ? [] : [`Meta says “${part.said}”.`])];
  if (!('missing' in part)) return [];
  const { missing } = part;
  return missing.length === 0 ? [] : [`Not found or not understood: ${missing.join(', ')}.`];
}

/** What is counted, where its name does not say it. */
const COUNTS: Record<string, string> = {
  notResumable: 'can’t be resumed now',
  refused: 'rejected',
  undecryptable: 'can’t be decrypted',
  retried: 'refused',
  failed: 'abandoned today',
  users: 'leaving',
};

/** '5,000 paused, 1 resuming': what is not zero. */
export function countsOf({ usedRatio, ...part }: Record<string, unknown> & { usedRatio?: number }): string {
  const counts = Object.entries(part).filter(([, count]) => typeof count === 'number' && count > 0);
  return [
    ...(usedRatio ? [`${Math.round(usedRatio * 100)}% of Meta’s limit`] : []),
    ...counts.map(([name, count]) => `${figure(count as number)} ${COUNTS[name] ?? name}`),
  ].join(', ');
}
