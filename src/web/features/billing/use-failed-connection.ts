import { useLocation } from 'react-router';
import { bannerCode } from '../../lib/return-to.ts';
import { useAuth } from '../auth/auth-provider.tsx';
import { bannerCopy } from '../banners/page-banners.ts';

/** Why the login of the open checkout failed, said in its dialog instead of a banner behind it. Null: it did not. */
export function useFailedConnection(): string | null {
  const { token } = useAuth();
  const { pathname, search } = useLocation();
  const params = new URLSearchParams(search);
  const code = bannerCode(params);
  const missing = params.get('missing');
  const isOpen = pathname === '/payment' && params.get('modal') === 'open';
  if (token !== null || code === null || !isOpen) return null;
  if (code === 'ACCESS_DENIED' && missing === null) return 'Login canceled. Please connect again.';
  const { title, advice, offersLogin } = bannerCopy(code, missing);
  return offersLogin ? `${title}. ${advice}` : null;
}
