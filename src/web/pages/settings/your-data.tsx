import { Box, Button, Card, Group, Stack, Title } from '@mantine/core';
import { newYorkTime } from '#core/new-york.ts';
import { OutcomeNotice } from '../../components/banners/outcome-notice.tsx';
import { useExportData } from '../../api/account-queries.ts';
import { saveFile } from '../../browser/save-file.ts';
import { useOutcome } from '../../hooks/use-outcome.ts';
import { Muted } from '../../components/muted.ts';

export function YourData() {
  const [outcome, setOutcome] = useOutcome();
  const data = useExportData();

  const onDownload = () =>
    data.mutate(undefined, {
      onSuccess: (everything) => {
        const name = fileName(Date.parse(everything.exportedAt));
        saveFile(name, JSON.stringify(everything, null, 2), 'application/json');
        setOutcome({ ok: true, text: `Saved as ${name}` });
      },
      onError: (error) => setOutcome({ ok: false, text: 'Failed to prepare your data', error }),
    });
  return (
    <Card component="section" aria-labelledby="your-data">
      <Stack gap="md">
        <Group justify="space-between" gap="md">
          <Box maw={440}>
            <Title order={2} fz="lg" id="your-data">
              Your data
            </Title>
            <Muted mt={4}>
              Everything we store about you in one JSON file: settings, campaigns, history, emails and
              sessions. Access tokens aren’t included.
            </Muted>
          </Box>
          <Button variant="default" onClick={onDownload} disabled={data.isPending}>
            {data.isPending ? 'Preparing…' : 'Download my data'}
          </Button>
        </Group>
        <OutcomeNotice outcome={outcome} />
      </Stack>
    </Card>
  );
}

function fileName(exportedAt: number): string {
  const { year, month, day } = newYorkTime(exportedAt);
  const date = [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');
  return `smartpause-data-${date}.json`;
}
