import { Box, Container, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '../landing.module.css';

interface SectionProps {
  /** Links use it as fragment. */
  id: string;
  title: string;
  text: string;
  /** Has its own background. */
  raised?: boolean;
  /** The text stands beside the content on wide screens. */
  beside?: boolean;
  children: ReactNode;
}

export function Section({ id, title, text, raised = false, beside = false, children }: SectionProps) {
  return (
    <Box
      component="section"
      id={id}
      aria-labelledby={`${id}-title`}
      className={classes.section}
      mod={{ raised }}
    >
      <Container size="lg" className={beside ? (classes.beside ?? '') : ''}>
        <Box maw={680} mb={{ base: 28, sm: 40 }}>
          <Title order={2} id={`${id}-title`} fz={{ base: 26, sm: 34 }} lh={1.2} lts={-0.6}>
            {title}
          </Title>
          <Text fz="lg" c="dimmed" mt="sm" lh={1.55}>
            {text}
          </Text>
        </Box>
        {children}
      </Container>
    </Box>
  );
}
