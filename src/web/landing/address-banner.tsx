import { Container, MantineProvider } from '@mantine/core';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { bannerWords } from '../components/banners/banner-words.ts';
import { Banner } from '../components/banners/banner.tsx';
import { addressOf, returnTo, wantedPage } from '../browser/return-to.ts';
import { styleNonce } from '../start/content-policy.ts';
import { theme } from '../browser/theme.ts';
import { ADDRESS_BANNER_ID } from './address-banner-place.ts';

/**
 * What the address wants to say: the page itself is the same for everybody.
 * @param code of `?error=CODE`
 */
export function showAddressBanner(root: HTMLElement, code: string): void {
  const place = root.querySelector(`#${ADDRESS_BANNER_ID}`);
  if (place === null) return;
  createRoot(place).render(
    <StrictMode>
      {/* Its variables came with the page, and which colours are drawn is said by the page as well. */}
      <MantineProvider
        theme={theme}
        withCssVariables={false}
        withGlobalClasses={false}
        getRootElement={() => undefined}
        getStyleNonce={styleNonce}
      >
        <AddressBanner code={code} />
      </MantineProvider>
    </StrictMode>,
  );
}

/** Until it is dismissed. */
function AddressBanner({ code }: { code: string }) {
  const [isDismissed, setDismissed] = useState(false);
  if (isDismissed) return null;
  const { pathname, search } = window.location;
  const dismiss = () => {
    window.history.replaceState(window.history.state, '', addressOf(window.location));
    setDismissed(true);
  };
  return (
    <Container size="lg" w="100%" mt="md">
      <Banner
        words={bannerWords(code, new URLSearchParams(search).get('missing'))}
        returnTo={returnTo({ pathname, search, hash: '' }, wantedPage())}
        onDismiss={dismiss}
      />
    </Container>
  );
}
