import { useLocation } from 'react-router';
import { useAuth } from '../features/auth/auth-provider.tsx';

const SECTIONS = [
  { href: '#how-it-works', label: 'How it works' },
  { href: '#prices', label: 'Pricing' },
  { href: '#questions', label: 'FAQ' },
];

/** The sections of the landing page, where it is shown. */
export function useLandingSections(): readonly { href: string; label: string }[] {
  const { token } = useAuth();
  const { pathname } = useLocation();
  return token === null && pathname === '/' ? SECTIONS : [];
}
