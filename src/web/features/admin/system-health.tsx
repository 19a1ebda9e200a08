import { Badge, Box, Group, Stack, Text } from '@mantine/core';
import type { SystemHealth } from '#contract/system-health.ts';
import { CheckMark } from '../../components/icons.tsx';
import { Muted } from '../../components/muted.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { Time } from '../../components/time.tsx';
import { atTime } from '../../lib/times.ts';
import { useNow } from '../../lib/use-now.ts';
import { useSystemHealth } from './api.ts';
import type { Part } from './system-health-copy.ts';
import { PARTS, countsOf } from './system-health-copy.ts';

/** The parts that can fail, with the numbers of the metrics. */
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

function Health({ health }: { health: SystemHealth }) {
  const all = Object.keys(PARTS) as Part[];
  const failing = all.filter((part) => health[part].needsAttention);
  const others = all.filter((part) => !health[part].needsAttention);
  const need = failing.length === 1 ? 'needs' : 'need';
  return (
    <>
      <Group gap={8} role="status">
        {failing.length === 0 && <CheckMark />}
        <Text fz="sm" fw={600}>
          {failing.length === 0
            ? 'All systems normal'
            : `${failing.length} of ${all.length} parts ${need} attention. SmartPause retries what it can.`}
        </Text>
      </Group>
      <Parts parts={failing} health={health} />
      {others.length > 0 && (
        <details>
          <Box component="summary" w="fit-content" mt="sm" fz="sm" style={{ cursor: 'pointer' }}>
            {failing.length === 0 ? 'All parts' : 'The other parts'}
          </Box>
          <Parts parts={others} health={health} />
        </details>
      )}
    </>
  );
}

function Parts({ parts, health }: { parts: readonly Part[]; health: SystemHealth }) {
  const now = useNow();
  return (
    <Stack component="ul" gap="xs" m={0} mt="sm" p={0} style={{ listStyle: 'none' }}>
      {parts.map((part) => {
        const { needsAttention } = health[part];
        const { value, time, details } = found(health[part]);
        return (
          <Box component="li" key={part} fz="sm" style={{ overflowWrap: 'anywhere' }}>
            <Group justify="space-between" gap="0 md" className="figures">
              <Group component="span" gap="xs">
                <b>{PARTS[part].name}</b> {needsAttention && <Badge color="orange">Attention</Badge>}
              </Group>
              <span>
                {value}
                {time !== null && <Time at={Date.parse(time)}>{atTime(Date.parse(time), now)}</Time>}
              </span>
            </Group>
            {needsAttention && <Muted>{[PARTS[part].problem, ...details].join(' ')}</Muted>}
          </Box>
        );
      })}
    </Stack>
  );
}

/** The numbers of a part with their time. */
function found(part: SystemHealth[Part]) {
  if (!('readAt' in part)) {
    const value = countsOf(part) + (part.oldest === null ? '' : ' · oldest ');
    return { value, time: part.oldest, details: [] };
  }
  const { readAt, missing, trouble } = part;
  const details = [
    ...(missing.length === 0 ? [] : [`Not found or not understood: ${missing.join(', ')}.`]),
    ...(trouble === null ? [] : [`Last error: ${trouble}`]),
  ];
  return { value: readAt === null ? 'Never read' : 'Last read ', time: readAt, details };
}
