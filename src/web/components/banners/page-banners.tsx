import { useSearchParams } from 'react-router';
import type { AccessState } from '#core/platform-access.ts';
import { useAuth } from '../../auth.tsx';
import { PageBannerList } from './page-banner-list.tsx';
import { bannerCode } from '../../browser/return-to.ts';

const CODE_OF: Record<AccessState, string | null> = {
  ok: null,
  stale: 'TOKEN_STALE',
  expired: 'TOKEN_EXPIRED',
};

/** Banners of every page: the code in the address, an expiring Meta access, an account deletion. */
export function PageBanners() {
  const { user } = useAuth();
  const [params] = useSearchParams();
  const inAddress = bannerCode(params);
  const ofAccess = user === null ? null : CODE_OF[user.access];
  const lacking = user?.missingPermission ?? null;
  const leaving = user?.leaving ?? null;
  if (inAddress === null && ofAccess === null && leaving === null) return null;
  return <PageBannerList {...{ inAddress, ofAccess, lacking, leaving }} missing={params.get('missing')} />;
}
