import { useAuth } from '../features/auth/auth-provider.tsx';

/** Of what every page has: header, banners and footer. For users as wide as the dashboard. */
export function usePageWidth(): number | 'lg' {
  return useAuth().token === null ? 'lg' : 1720;
}
