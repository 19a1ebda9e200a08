import { useSearchParams } from 'react-router';
import { useAuth } from '../../auth.tsx';
import { PageBannerList } from './page-banner-list.tsx';
import { bannerCode } from '../../browser/return-to.ts';

/** Banners of every page: the code in the address, an expiring Meta access, an account deletion. */
export function PageBanners() {
  const { user } = useAuth();
  const [params] = useSearchParams();
  const inAddress = bannerCode(params);
  const access = user === null || user.access === 'ok' ? null : user.access;
  const lacking = user?.missingPermission ?? null;
  const leaving = user?.leaving ?? null;
  if (inAddress === null && access === null && leaving === null) return null;
  return <PageBannerList {...{ inAddress, access, lacking, leaving }} missing={params.get('missing')} />;
}
