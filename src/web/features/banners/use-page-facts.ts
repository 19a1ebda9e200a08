import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { focusContent } from '../../lib/native-menus.ts';
import { addressOf, bannerCode } from '../../lib/return-to.ts';
import { useAuth } from '../auth/auth-provider.tsx';
import type { PageFacts } from './page-banners.ts';

/** What the banners of every page depend on. */
export function usePageFacts(): PageFacts {
  const { user } = useAuth();
  const [params] = useSearchParams();
  return {
    code: bannerCode(params),
    missing: params.get('missing'),
    access: user?.access ?? 'ok',
    lacking: user?.missingPermission ?? null,
    leaving: user?.leaving ?? null,
  };
}

/** Removes the code from the address. */
export function useDismiss(): () => void {
  const navigate = useNavigate();
  const place = useLocation();
  return () => {
    focusContent();
    void navigate(addressOf(place), { replace: true, preventScrollReset: true });
  };
}
