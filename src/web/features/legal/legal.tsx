import { Anchor, Container, List, Stack, Text, Title } from '@mantine/core';
import type { Company } from '#contract/company.ts';
import { COMPANY_META } from '#contract/company.ts';
import { Muted } from '../../components/muted.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { PRIVACY_POLICY } from './privacy-policy.ts';
import { TERMS_OF_SERVICE } from './terms-of-service.ts';

export function PrivacyPolicy() {
  return <LegalPage title="Privacy Policy" text={PRIVACY_POLICY} />;
}

export function TermsOfService() {
  return <LegalPage title="Terms of Service" text={TERMS_OF_SERVICE} />;
}

/** Of both texts; update it with every change. */
const LAST_CHANGED = 'November 28, 2026';

function LegalPage({ title, text }: Record<'title' | 'text', string>) {
  const company = readCompany();
  const contactUs = company.contact === null ? 'reply to any email from us' : `write to ${company.contact}`;
  const filled = text.replaceAll('{company}', () => company.name).replace('{contact us}', () => contactUs);
  const [summary, ...sections] = filled.trim().split('\n\n');
  return (
    <Container size="sm" py={48} lh={1.65}>
      <PageHeading>{title}</PageHeading>
      <Muted mt="xs">Last changed: {LAST_CHANGED}</Muted>
      <Text inherit mt="lg">
        {summary}
      </Text>
      <Stack gap="xl" mt="xl">
        {sections.map((section) => (
          <Section key={section} text={section} />
        ))}
        <section>
          <SectionHeading>Contact</SectionHeading>
          <div>{company.name}</div>
          {company.address !== null && <div>{company.address}</div>}
          {company.contact === null ? (
            'Reply to any email that you have received from us.'
          ) : (
            <Anchor href={`mailto:${company.contact}`} inherit underline="always">
              {company.contact}
            </Anchor>
          )}
        </section>
      </Stack>
    </Container>
  );
}

/** A heading, then paragraphs and lists. */
function Section({ text }: { text: string }) {
  const [heading = '', ...lines] = text.split('\n');
  const blocks = lines.join('\n').match(/(?:^- .*\n?)+|^.+/gm) ?? [];
  return (
    <section>
      <SectionHeading>{heading.replace('# ', '')}</SectionHeading>
      <Stack gap="xs">
        {blocks.map((block) =>
          block.startsWith('- ') ? (
            <List key={block} spacing={6} lh="inherit">
              {block
                .trim()
                .split('\n')
                .map((item) => (
                  <List.Item key={item}>{item.slice(2)}</List.Item>
                ))}
            </List>
          ) : (
            <Text key={block} inherit>
              {block}
            </Text>
          ),
        )}
      </Stack>
    </section>
  );
}

const SectionHeading = Title.withProps({ order: 2, fz: 'lg', mb: 6 });

/** Only our own server puts the company into the document; otherwise the product name is all there is. */
function readCompany(): Company {
  const contentOf = (name: string) =>
    document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || null;
  return {
    name: contentOf(COMPANY_META.name) ?? 'SmartPause',
    address: contentOf(COMPANY_META.address),
    contact: contentOf(COMPANY_META.contact),
  };
}
