import '@mantine/core/styles/Table.css';
import { Badge, Group, Table, Text } from '@mantine/core';
import type { SystemHealth } from '#contract/system-health.ts';
import type { Instant } from '#core/time.ts';
import { useSystemHealth } from './api.ts';
import { hasFailed } from '../../lib/has-failed.ts';
import { CheckMark } from '../../components/check-mark.tsx';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Muted } from '../../components/muted.ts';
import { Placeholders } from '../../components/placeholders.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { Time } from '../../components/time.tsx';
import { useNow } from '../../lib/use-now.ts';
import { atTime } from '../../lib/times.ts';
import type { Part } from './system-health-copy.ts';
import { PARTS, partCopy, timeOf } from './system-health-copy.ts';

/** The parts that can fail, with the numbers of the metrics. */
export function SystemHealthCard() {
  const query = useSystemHealth();
  if (query.data === null) return null;
  const isUnknown = hasFailed(query);
  return (
    <SectionCard id="system-health" title="System health" aria-busy={query.data === undefined && !isUnknown}>
      {isUnknown ? (
        <LoadFailure
          text="System health couldn’t be loaded."
          isTrying={query.isFetching}
          onTry={() => void query.refetch()}
        />
      ) : query.data === undefined ? (
        <Placeholders heights={[22]} />
      ) : (
        <Health health={query.data} />
      )}
    </SectionCard>
  );
}

function Health({ health }: { health: SystemHealth }) {
  const now = useNow();
  const failing = PARTS.filter((part) => health[part].needsAttention).length;
  return (
    <>
      <Group gap={8} mb="sm" role="status">
        {failing === 0 && <CheckMark />}
        <Text fz="sm" fw={600}>
          {failing === 0
            ? 'All systems normal'
            : `${failing} of ${PARTS.length} parts ${failing === 1 ? 'needs' : 'need'} attention. SmartPause retries what it can.`}
        </Text>
      </Group>
      <Table
        aria-label="Parts"
        data={{
          head: ['Part', 'State'],
          body: PARTS.map((part) => [nameOf(health, part), stateOf(health, part, now)]),
        }}
      />
    </>
  );
}

function nameOf(health: SystemHealth, part: Part) {
  const { name, problem } = partCopy(part, health[part]);
  if (!health[part].needsAttention) return name;
  return (
    <>
      <Group gap={8}>
        <b>{name}</b> <Badge color="orange">Attention</Badge>
      </Group>
      <Muted style={{ overflowWrap: 'anywhere' }}>{problem}</Muted>
    </>
  );
}

function stateOf(health: SystemHealth, part: Part, now: Instant) {
  const time = timeOf(health, part);
  const { value } = partCopy(part, health[part]);
  if (time === null) return value;
  const at = Date.parse(time);
  return (
    <>
      {value}
      {part === 'statusPage' ? ' ' : ' · oldest '}
      <Time at={at}>{atTime(at, now)}</Time>
    </>
  );
}
