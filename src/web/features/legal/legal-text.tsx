import '@mantine/core/styles/List.css';
import { Anchor, Container, List, Stack, Text, Title } from '@mantine/core';
import { useLocation } from 'react-router';
import type { Company } from '#contract/company.ts';
import { COMPANY_META } from '#contract/company.ts';
import { useScrollToFragment } from '../../lib/use-scroll-to-fragment.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { Muted } from '../../components/muted.ts';

/** A string is a paragraph, an array is a list. */
export type LegalSection = readonly [heading: string, ...blocks: (string | readonly string[])[]];

/** Of both texts; update it with every change. */
const LAST_CHANGED = 'November 27, 2026';

interface LegalTextProps {
  title: string;
  summary: string;
  sections: (company: Company) => LegalSection[];
}

export function LegalText({ title, summary, sections }: LegalTextProps) {
  const company = readCompany();
  const { hash } = useLocation();
  useScrollToFragment(hash);
  return (
    <Container size="sm" py={48}>
      <PageHeading>{title}</PageHeading>
      <Muted mt="xs">Last changed: {LAST_CHANGED}</Muted>
      <Text lh={1.65} mt="lg">
        {summary}
      </Text>
      <Stack gap="xl" mt="xl">
        {sections(company).map((section) => (
          <Section key={section[0]} section={section} />
        ))}
        <section>
          <SectionHeading>Contact</SectionHeading>
          <Contact company={company} />
        </section>
      </Stack>
    </Container>
  );
}

function Section({ section: [heading, ...blocks] }: { section: LegalSection }) {
  return (
    <section>
      <SectionHeading>{heading}</SectionHeading>
      <Stack gap="xs" lh={1.65}>
        {blocks.map((block, index) =>
          typeof block === 'string' ? (
            <Text key={index} inherit>
              {block}
            </Text>
          ) : (
            <List key={index} spacing={6} lh="inherit">
              {block.map((item) => (
                <List.Item key={item}>{item}</List.Item>
              ))}
            </List>
          ),
        )}
      </Stack>
    </section>
  );
}

/** Its fragment is like 'who-we-share-it-with'. */
function SectionHeading({ children }: { children: string }) {
  const id = children
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return (
    <Title order={2} fz="lg" mb={6} id={id} style={{ scrollMarginTop: 16 }}>
      {children}
    </Title>
  );
}

function Contact({ company: { name, address, contact } }: { company: Company }) {
  return (
    <Text lh={1.65}>
      {name}
      {address !== null && (
        <>
          <br />
          {address}
        </>
      )}
      <br />
      {contact === null ? (
        'Reply to any email that you have received from us.'
      ) : (
        <Anchor href={`mailto:${contact}`} inherit underline="always">
          {contact}
        </Anchor>
      )}
    </Text>
  );
}

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
