import { BannerLink } from '../../components/links.ts';
import { useNow } from '../../lib/use-now.ts';
import { BannerCard } from '../banners/banner-card.tsx';
import { CAMPAIGNS_WITHOUT_ACCESS } from '../campaigns/list-address.ts';
import { useUserStatus } from '../status/api.ts';
import { heldBanner } from './banner-list.ts';

/** On the pricing page: campaigns may stay paused by SmartPause after a subscription ends. */
export function HeldNotice() {
  const { data: user } = useUserStatus();
  const now = useNow();
  const banner = user && heldBanner(user, now);
  if (banner == null) return null;
  const see = (
    <BannerLink key="see" to={CAMPAIGNS_WITHOUT_ACCESS}>
      See them, or resume them yourself
    </BannerLink>
  );
  return <BannerCard banner={banner} links={[see]} />;
}
