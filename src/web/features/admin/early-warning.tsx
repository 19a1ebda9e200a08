import { Badge, Box, Flex, Stack, Text } from '@mantine/core';
import type { EarlyWarning } from '#contract/early-warning.ts';
import { PANELS } from '#core/detection/parameters.ts';
import { durationLabel, figure } from '#core/labels.ts';
import { minutes } from '#core/time.ts';
import { Facts } from '../../components/facts.tsx';
import { Muted } from '../../components/muted.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { Time } from '../../components/time.tsx';
import { useNow } from '../../lib/use-now.ts';
import { useEarlyWarning } from './api.ts';

/** What early warnings would have said. They act on nothing. */
export function EarlyWarningCard() {
  const query = useEarlyWarning();
  const { data } = query;
  if (data === null) return null;
  return (
    <SectionCard id="early-warning" title="Early warning">
      <Muted mb="md">
        Shadow mode: SmartPause records when calls to Meta fail, before Meta’s page says so. Users see and get
        nothing of it.
      </Muted>
      <QueryContent query={query} data={data} failure="Early warning couldn’t be loaded." heights={[44, 44]}>
        {(found) => <Found {...found} />}
      </QueryContent>
    </SectionCard>
  );
}

function Found({ canary, hasControls, votesAMinute, shortFailures, states }: EarlyWarning) {
  return (
    <>
      <Facts
        facts={[
          ['Canary', <CanaryState key="canary" canary={canary} />],
          [
            'Other hosts',
            hasControls
              ? 'Asked while calls fail'
              : 'Set two in CONTROL_URLS: without them nothing is suspected.',
          ],
          ['Businesses a minute', figure(votesAMinute)],
          ['Short failures in 28 days', shortFailuresCopy(shortFailures)],
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
function nothingCopy(canary: EarlyWarning['canary'], votesAMinute: number): string {
  if (canary !== null || votesAMinute >= PANELS.calls.votesAMinute) return 'Nothing unusual was recorded.';
  return 'Too few calls to tell, and no canary.';
}

function shortFailuresCopy({ count, medianMinutes, longestMinutes }: EarlyWarning['shortFailures']): string {
  if (count === 0) return 'None recorded';
  return `${figure(count)}, usually ${figure(Math.round(medianMinutes))} min, longest ${figure(longestMinutes)} min`;
}

const STATES = {
  WATCH: ['Watch', 'gray'],
  SUSPECTED: ['Suspected', 'orange'],
  UNKNOWN: ['Own network', 'yellow'],
} as const;

function DetectedState({ state, since, until, evidence }: EarlyWarning['states'][number]) {
  const now = useNow();
  if (state === null || state === 'NORMAL') return null;
  const [word, color] = STATES[state];
  const lasted = (until === null ? now : Date.parse(until)) - Date.parse(since);
  const length = durationLabel(minutes(Math.max(1, Math.round(lasted / minutes(1)))));
  return (
    <Flex component="li" gap="4px 16px" direction={{ base: 'column', sm: 'row' }} align={{ sm: 'baseline' }}>
      <Box w={112} flex="none">
        <Badge color={color}>{word}</Badge>
      </Box>
      <Text fz="sm" flex="1 1 0">
        {evidence}
        {state === 'SUSPECTED' &&
          ' It would have notified, and paused nothing: failing calls alone never pause.'}
      </Text>
      <Muted className="figures" component="div">
        <Time at={since} /> for {length} {until === null && 'so far'}
      </Muted>
    </Flex>
  );
}
