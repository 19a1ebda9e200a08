import { Badge, Card, Group, Skeleton, Text, Title, VisuallyHidden } from '@mantine/core';
import type { SystemHealth } from '#contract/system-health.ts';
import type { Instant } from '#core/time.ts';
import { useSystemHealth } from '../../api/admin-queries.ts';
import { hasFailed } from '../../api/has-failed.ts';
import { CheckMark } from '../../components/check-mark.tsx';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Muted } from '../../components/muted.ts';
import { StatusShape } from '../../components/status-mark.tsx';
import { Time } from '../../components/time.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { atTime } from '../../text/times.ts';
import classes from './admin.module.css';
import type { Part } from './system-health-copy.ts';
import { PARTS, partCopy, timeOf } from './system-health-copy.ts';

/** The parts that can fail, with the numbers of the metrics. */
export function SystemHealthCard() {
  const query = useSystemHealth();
  if (query.data === null) return null;
  const isUnknown = hasFailed(query);
  return (
    <Card
      component="section"
      aria-labelledby="system-health"
      aria-busy={query.data === undefined && !isUnknown}
    >
      <Title order={2} fz="lg" mb="sm" id="system-health">
        System health
      </Title>
      {isUnknown ? (
        <LoadFailure
          text="System health could not be loaded."
          isTrying={query.isFetching}
          onTry={() => void query.refetch()}
        />
      ) : query.data === undefined ? (
        <Skeleton h={22} data-testid="health-placeholder" />
      ) : (
        <Health health={query.data} />
      )}
    </Card>
  );
}

function Health({ health }: { health: SystemHealth }) {
  const now = useNow();
  const failing = PARTS.filter((part) => health[part].needsAttention).length;
  return (
    <>
      <Group gap={8} mb="md" role="status">
        {failing === 0 && <CheckMark />}
        <Text fz="sm" fw={600}>
          {failing === 0
            ? 'Everything works'
            : `${failing} of ${PARTS.length} parts ${failing === 1 ? 'needs' : 'need'} attention. SmartPause retries what it can.`}
        </Text>
      </Group>
      <ul className={classes.parts}>
        {PARTS.map((part) => (
          <Row key={part} {...{ health, part, now }} />
        ))}
      </ul>
    </>
  );
}

function Row({ health, part, now }: { health: SystemHealth; part: Part; now: Instant }) {
  const { name, value, meaning, detail } = partCopy(part, health[part]);
  const { needsAttention } = health[part];
  const time = timeOf(health, part);
  const at = time === null ? null : Date.parse(time);
  return (
    <li className={classes.part}>
      <span className={classes.mark}>
        {needsAttention ? <StatusShape level="MEDIUM_DISRUPTION" size={14} /> : <CheckMark />}
      </span>
      <div>
        <div className={classes.fact}>
          <Group gap={8}>
            <Text fz="sm" fw={600}>
              {name}
            </Text>
            {needsAttention ? (
              <Badge color="orange">Attention</Badge>
            ) : (
              <VisuallyHidden>works</VisuallyHidden>
            )}
          </Group>
          <Text fz="sm" className="figures">
            {value}
            {at !== null && (
              <>
                {part === 'statusPage' ? ' ' : ' · oldest '}
                <Time at={at}>{atTime(at, now)}</Time>
              </>
            )}
          </Text>
        </div>
        <Muted>{meaning}</Muted>
        {detail !== undefined && (
          <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
            {detail}
          </Text>
        )}
      </div>
    </li>
  );
}
