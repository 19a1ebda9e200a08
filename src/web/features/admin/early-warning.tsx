import { Badge, Box, Flex, Stack, Text } from '@mantine/core';
import type { EarlyWarning } from '#contract/early-warning.ts';
import { PANELS } from '#core/detection/parameters.ts';
import { counted, durationLabel, figure } from '#core/labels.ts';
import { minutes } from '#core/time.ts';
import { Facts } from '../../components/facts.tsx';
import { Muted } from '../../components/muted.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { Time } from '../../components/time.tsx';
import { useNow } from '../../lib/use-now.ts';
import { ActingSwitch } from './acting-switch.tsx';
import { useEarlyWarning } from './api.ts';

/** What early warnings say, or would have said while they are only recorded. */
export function EarlyWarningCard() {
  const query = useEarlyWarning();
  const { data } = query;
  if (data === null) return null;
  return (
    <SectionCard id="early-warning" title="Early warning">
      <QueryContent query={query} data={data} failure="Early warning couldn’t be loaded." heights={[44, 44]}>
        {(found) => <Found {...found} />}
      </QueryContent>
    </SectionCard>
  );
}

function Found(found: EarlyWarning) {
  const { canary, hasControls, votesAMinute, shortFailures, states, chosen, delivery } = found;
  return (
    <>
      <ActingSwitch {...found} />
      <Facts
        width={160}
        facts={[
          ['Canary', <CanaryState key="canary" canary={canary} />],
          [
            'Other hosts',
            hasControls
              ? 'Asked while calls fail'
              : 'Set two in CONTROL_URLS: without them nothing is suspected.',
          ],
          ['Businesses a minute', figure(votesAMinute)],
          ['Delivery sample', deliveryCopy(delivery)],
          ['Users’ choices', `${figure(chosen.pause)} pause, ${figure(chosen.notify)} notify`],
          ['Short failures in 28 days', shortFailuresCopy(shortFailures, votesAMinute)],
        ]}
      />
      <Stack component="ul" gap="sm" m={0} mt="md" p={0} style={{ listStyle: 'none' }}>
        {states.map((one) => (
          <DetectedState key={`${one.source} ${one.since}`} {...one} />
        ))}
      </Stack>
      {states.length === 0 && <Muted mt="md">{nothingCopy(canary, votesAMinute)}</Muted>}
    </>
  );
}

function CanaryState({ canary }: Pick<EarlyWarning, 'canary'>) {
  if (canary === null) return 'Set CANARY_AD_ACCOUNT and CANARY_TOKEN.';
  if (canary.at === null) return 'Hasn’t run yet';
  if (canary.failures === 0)
    return (
      <>
        Works, <Time at={canary.at} isRelative />
      </>
    );
  return `Failed ${figure(canary.failures)} times in a row: ${canary.failed.join(', ')}`;
}

/** Below five businesses a minute their calls are not tested. */
const areTested = (votesAMinute: number) => votesAMinute >= PANELS.calls.votesAMinute;

function nothingCopy(canary: EarlyWarning['canary'], votesAMinute: number): string {
  if (canary !== null || areTested(votesAMinute)) return 'Nothing unusual was recorded.';
  return 'Too few calls to tell, and no canary.';
}

export function shortFailuresCopy(
  { count, medianMinutes, longestMinutes }: EarlyWarning['shortFailures'],
  votesAMinute: number,
): string {
  if (count === 0 && !areTested(votesAMinute))
    return `Not measured: fewer than ${figure(PANELS.calls.votesAMinute)} businesses a minute`;
  if (count === 0) return 'None recorded';
  return `${figure(count)}, usually ${figure(Math.round(medianMinutes))} min, longest ${figure(longestMinutes)} min`;
}

function deliveryCopy({ accounts, compared }: EarlyWarning['delivery']): string {
  if (accounts === 0) return 'No ad accounts yet';
  return `${counted(accounts, 'ad account')}, ${figure(compared)} with weeks to compare`;
}

const SOURCES = {
  calls: 'Calls',
  canary: 'Canary',
  delivery: 'Delivery',
  early_warning: 'Early warning',
} as const;

const STATES = {
  WATCH: ['Watch', 'gray'],
  SUSPECTED: ['Suspected', 'orange'],
  PROBABLE: ['Would pause', 'red'],
  UNKNOWN: ['Own network', 'yellow'],
} as const;

type Detected = EarlyWarning['states'][number];

/** What the sources say together reaches users, each source alone does not. */
function effectCopy({ source, state, acts }: Detected): string {
  if (source !== 'early_warning') return '';
  const notified = acts ? 'It notified' : 'It would have notified';
  if (state === 'PROBABLE') return ` ${notified}, and paused campaigns of users who chose that.`;
  return state === 'SUSPECTED' ? ` ${notified}, and paused nothing.` : '';
}

function DetectedState(detected: Detected) {
  const { source, state, acts, since, until, evidence } = detected;
  const now = useNow();
  if (state === null || state === 'NORMAL') return null;
  const [word, color] = STATES[state];
  const lasted = (until === null ? now : Date.parse(until)) - Date.parse(since);
  const length = durationLabel(minutes(Math.max(1, Math.round(lasted / minutes(1)))));
  return (
    <Flex component="li" gap="4px 16px" direction={{ base: 'column', sm: 'row' }} align={{ sm: 'baseline' }}>
      <Box w={112} flex="none">
        <Badge color={color}>{state === 'PROBABLE' && acts ? 'Paused' : word}</Badge>
      </Box>
      <Text fz="sm" flex="1 1 0">
        {source !== null && <b>{SOURCES[source]}: </b>}
        {evidence}
        {effectCopy(detected)}
      </Text>
      <Muted className="figures" component="div">
        <Time at={since} /> for {length} {until === null && 'so far'}
      </Muted>
    </Flex>
  );
}
