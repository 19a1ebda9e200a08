import { Anchor } from '@mantine/core';
import { Footer } from '../components/footer.tsx';
import { LEGAL_PAGES } from '../components/legal-pages.ts';

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
