import { Drawer, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { hasFailed } from '../../lib/has-failed.ts';
import { useCampaignHistory } from './api.ts';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Muted } from '../../components/muted.ts';
import { ShowMore } from '../../components/show-more.tsx';
import { HistoryEntries } from './history-entries.tsx';

interface WhyDrawerProps {
  campaignId: string;
  opened: boolean;
  onClose: () => void;
}

/** What happened to one campaign in the last 400 days, by whom and why. */
export function WhyDrawer({ campaignId, opened, onClose }: WhyDrawerProps) {
  // Opens after it is mounted, so that it can record the focus and return it.
  const isMounted = useMounted();
  return (
    <Drawer
      opened={opened && isMounted}
      onClose={onClose}
      position="right"
      size="min(100vw, 480px)"
      title="Why?"
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 150 }}
      styles={{
        title: { fontWeight: 600 },
        header: { background: 'var(--ground-card)' },
        content: { background: 'var(--ground-card)' },
      }}
    >
      <History key={campaignId} campaignId={campaignId} />
    </Drawer>
  );
}

function History({ campaignId }: { campaignId: string }) {
  const query = useCampaignHistory(campaignId);
  const { data, isFetching, refetch } = query;
  if (data === undefined) {
    if (!hasFailed(query)) return <Placeholders />;
    return (
      <LoadFailure
        text="The history couldn’t be loaded."
        isTrying={isFetching}
        onTry={() => void refetch()}
      />
    );
  }
  const campaign = data.pages[0]?.campaign;
  if (campaign === undefined) {
    return <Text role="status">This campaign isn’t in your ad accounts.</Text>;
  }
  const entries = data.pages.flatMap((page) => page?.entries ?? []);
  return (
    <Stack gap="md">
      <div role="status">
        <Title order={3} fz="lg" style={{ overflowWrap: 'anywhere' }}>
          {campaign.name}
        </Title>
        <Muted>
          {entries.length === 0
            ? 'Nothing has happened to this campaign yet. When SmartPause pauses or resumes it, you see here when and why.'
            : 'Newest first. History goes back 400 days.'}
        </Muted>
      </div>
      {entries.length > 0 && <HistoryEntries entries={entries} />}
      <ShowMore query={query} end="That’s everything from the last 400 days." />
    </Stack>
  );
}

function Placeholders() {
  return (
    <Stack gap="sm" role="status" aria-label="Loading the history" aria-busy="true">
      <Skeleton h={28} w="70%" />
      {[1, 2, 3].map((n) => (
        <Skeleton key={n} h={72} />
      ))}
    </Stack>
  );
}
