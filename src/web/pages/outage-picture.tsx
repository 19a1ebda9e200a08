import { Card, Group, Text } from '@mantine/core';
import { StatusShape } from '../components/status-mark.tsx';

const LABEL =
  'Spend of a campaign before, during and after an outage. Without SmartPause it goes on during the outage and overshoots afterwards; with SmartPause it stops for that time.';

/** What the product does, in one look: the same hours with and without it. */
export function OutagePicture() {
  return (
    <Card padding="lg">
      <Group justify="space-between" mb="sm">
        <Text fw={600} fz="sm">
          Spend per hour
        </Text>
        <Group gap={6}>
          <StatusShape level="HIGH_DISRUPTION" />
          <Text fz="sm" c="dimmed">
            Outage
          </Text>
        </Group>
      </Group>
      <svg viewBox="0 0 480 240" width="100%" role="img" aria-label={LABEL} style={{ display: 'block' }}>
        <rect x="160" y="0" width="150" height="210" rx="6" fill="var(--status-high)" opacity=".1" />
        <g stroke="var(--mantine-color-default-border)">
          <path d="M0 210h480" />
          <path d="M0 140h480M0 70h480" strokeDasharray="3 5" />
        </g>
        <path
          d="M0 122C50 112 100 126 160 118C190 112 210 82 240 76S300 62 318 40S370 26 390 58S440 112 480 114"
          fill="none"
          stroke="var(--mantine-color-dimmed)"
          strokeWidth="2.5"
          strokeDasharray="6 6"
        />
        <path
          d="M0 126C50 116 100 130 168 122V208H328V128C380 118 430 124 480 118"
          fill="none"
          stroke="var(--mantine-primary-color-filled)"
          strokeWidth="3"
          strokeLinejoin="round"
        />
        <g fontSize="13" fill="var(--mantine-color-text)" fontWeight="600">
          <text x="176" y="198">
            paused
          </text>
          <text x="336" y="150">
            resumed
          </text>
        </g>
        <g fontSize="13" fill="var(--mantine-color-dimmed)">
          <text x="176" y="232">
            9:10 PM
          </text>
          <text x="318" y="232">
            10:45 PM EST
          </text>
        </g>
      </svg>
      <Group gap="lg" mt="sm">
        <Legend text="With SmartPause" dashed={false} />
        <Legend text="Without" dashed />
      </Group>
    </Card>
  );
}

function Legend({ text, dashed }: { text: string; dashed: boolean }) {
  const color = dashed ? 'var(--mantine-color-dimmed)' : 'var(--mantine-primary-color-filled)';
  return (
    <Group gap={8}>
      <svg width="24" height="4" aria-hidden="true">
        <path d="M0 2h24" stroke={color} strokeWidth="3" strokeDasharray={dashed ? '6 4' : undefined} />
      </svg>
      <Text fz="sm" c="dimmed">
        {text}
      </Text>
    </Group>
  );
}
