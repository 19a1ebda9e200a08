import { Container, Stack } from '@mantine/core';
import { BannerCard, LoginButton } from '../features/banners/banner-card.tsx';
import { useDismiss, usePageFacts } from '../features/banners/use-page-facts.ts';
import { pageBanners } from '../features/banners/page-banners.ts';
import { useFailedConnection } from '../features/billing/use-failed-connection.ts';
import { useShowsDashboard } from '../features/campaigns/shows-dashboard.ts';

/** The banners of every page; the dashboard has them in the order of its own. */
export function PageBanners() {
  const facts = usePageFacts();
  const isInDialog = useFailedConnection() !== null;
  const banners = pageBanners({ ...facts, ...(isInDialog && { code: null }) });
  const dismiss = useDismiss();
  if (useShowsDashboard() || banners.length === 0) return null;
  return (
    <Container size="lg" w="100%" mt="md">
      <Stack gap="sm">
        {banners.map((banner) => (
          <BannerCard
            key={banner.kind}
            banner={banner}
            buttons={banner.acts.map((act) => act.act === 'log_in' && <LoginButton key={act.act} {...act} />)}
            {...(banner.isDismissible && { onDismiss: dismiss })}
          />
        ))}
      </Stack>
    </Container>
  );
}
