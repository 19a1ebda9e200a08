import '@mantine/core/styles/List.css';
import { Anchor, Container, List, Stack, Text, Title } from '@mantine/core';
import { useLocation } from 'react-router';
import type { Company } from '#contract/company.ts';
import { useScrollToFragment } from '../../lib/use-scroll-to-fragment.ts';
import { readCompany } from '../../lib/company.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import type { LegalSection } from './legal-section.ts';
import { LAST_CHANGED, sectionId } from './legal-section.ts';
import { Muted } from '../../components/muted.ts';

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
          <Section key={section.heading} {...section} />
        ))}
        <section>
          <SectionHeading>Contact</SectionHeading>
          <Contact company={company} />
        </section>
      </Stack>
    </Container>
  );
}

function Section({ heading, text, points, after }: LegalSection) {
  return (
    <section>
      <SectionHeading>{heading}</SectionHeading>
      <Stack gap="xs">
        {text.map((paragraph) => (
          <Text key={paragraph} lh={1.65}>
            {paragraph}
          </Text>
        ))}
        {points !== undefined && (
          <List spacing={6} style={{ lineHeight: 1.65 }}>
            {points.map((point) => (
              <List.Item key={point}>{point}</List.Item>
            ))}
          </List>
        )}
        {after !== undefined && <Text lh={1.65}>{after}</Text>}
      </Stack>
    </section>
  );
}

function SectionHeading({ children }: { children: string }) {
  return (
    <Title order={2} fz="lg" mb={6} id={sectionId(children)} style={{ scrollMarginTop: 16 }}>
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
