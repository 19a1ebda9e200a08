import { Anchor } from '@mantine/core';
import { Footer } from '../components/layout/footer.tsx';
import { LEGAL_PAGES } from '../components/layout/legal-pages.ts';

export function LandingFooter() {
  return (
    <Footer>
      {LEGAL_PAGES.map(({ to, label }) => (
        <Anchor key={to} href={to} fz="sm" c="dimmed" py={4}>
          {label}
        </Anchor>
      ))}
    </Footer>
  );
}
