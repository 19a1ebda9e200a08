import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { LandingContent } from '../features/landing/landing-content.tsx';
import { nameTab } from '../lib/tab.ts';
import { useScrollToFragment } from '../lib/use-scroll-to-fragment.ts';

/** The landing page where the app draws it. */
export function LandingPage() {
  const { hash } = useLocation();
  useScrollToFragment(hash);
  useEffect(() => nameTab('Stop paying for Meta’s outages'), []);
  return <LandingContent />;
}
