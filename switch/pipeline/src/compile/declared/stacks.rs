//! Finds the headers of stacks and unions.

use super::element::{Element, Stack};
use super::layout::{elements_and_others, Layout};
use crate::error::{InObject, LoadError, Problem, Result};
use crate::json;
use crate::program::Type;
use std::collections::HashMap;

impl Layout {
    /// Finds the headers of all stacks and unions.
    pub(crate) fn add_stacks_and_unions(
        &mut self,
        program: &json::Program,
    ) -> Result<(), LoadError> {
        let (elements, others) = elements_and_others(program);
        let ids = others.into_iter().chain(elements).map(|header| header.id);
        let headers: HashMap<u64, u16> = ids.zip(0..).collect();
        let mut unions = HashMap::new();
        for union in &program.header_unions {
            let element = self
                .union_element(program, union, &headers)
                .and_then(|element| self.add_union(&union.name, element))
                .in_object("header union", &union.name)?;
            unions.insert(union.id, element);
        }
        for stack in &program.header_stacks {
            let elements = find_all(&stack.header_ids, &headers, "header")
                .map(|headers| headers.into_iter().map(Element::of_header).collect());
            elements
                .and_then(|elements| self.add_stack(&stack.name, elements))
                .in_object("header stack", &stack.name)?;
        }
        for stack in &program.header_union_stacks {
            find_all(&stack.header_union_ids, &unions, "header union")
                .and_then(|elements| self.add_stack(&stack.name, elements))
                .in_object("header union stack", &stack.name)?;
        }
        Ok(())
    }

    fn union_element(
        &self,
        program: &json::Program,
        union: &json::HeaderUnion,
        headers: &HashMap<u64, u16>,
    ) -> Result<Element> {
        let union_type = program
            .header_union_types
            .iter()
            .find(|union_type| union_type.name == union.union_type)
            .ok_or_else(|| Problem::unknown("header union type", &union.union_type))?;
        let headers = find_all(&union.header_ids, headers, "header")?;
        let types = union_type.headers.iter().map(|(_, header_type)| header_type);
        if !types.eq(headers.iter().map(|&header| &self.instance(header).header_type)) {
            return Err(Problem::invalid("its headers are not those of its type"));
        }
        let members = union_type.headers.iter().map(|(name, _)| name.clone()).collect();
        Ok(Element { headers, members: Some(members) })
    }

    fn add_union(&mut self, name: &str, element: Element) -> Result<Element> {
        for &header in &element.headers {
            let others = element.headers.iter().copied().filter(|&other| other != header);
            let siblings = others.collect();
            let instance = self.instances.at_mut(header);
            if instance.metadata || !std::mem::replace(&mut instance.siblings, siblings).is_empty()
            {
                return Err(Problem::invalid(format!("'{}' cannot be in it", instance.name)));
            }
        }
        self.unions.add(name.to_string(), element.clone())?;
        Ok(element)
    }

    fn add_stack(&mut self, name: &str, elements: Vec<Element>) -> Result {
        let types = |element: &Element| -> Vec<&String> {
            element.headers.iter().map(|&header| &self.instance(header).header_type).collect()
        };
        let Some(first) = elements.first().map(types) else {
            return Err(Problem::invalid("has no elements"));
        };
        if elements.iter().any(|element| types(element) != first) {
            return Err(Problem::invalid("its elements are not of one type"));
        }
        if elements
            .iter()
            .flat_map(|element| &element.headers)
            .any(|&header| self.is_metadata(header))
        {
            return Err(Problem::invalid("its elements are metadata"));
        }
        let next = self.add_variable(Type::Unsigned(32))?.slot;
        self.stacks.add(name.to_string(), Stack { elements, next })?;
        Ok(())
    }

    /// A stack of headers or header unions.
    pub(crate) fn stack(&self, name: &str) -> Result<&Stack> {
        Ok(self.stacks.at(self.stacks.find(name)?))
    }

    /// Whether the program has stacks.
    pub(crate) fn has_stacks(&self) -> bool {
        !self.stacks.objects().is_empty()
    }

    /// A header union.
    pub(crate) fn union(&self, name: &str) -> Result<&Element> {
        Ok(self.unions.at(self.unions.find(name)?))
    }
}

/// The objects that these ids stand for.
fn find_all<T: Clone>(ids: &[u64], objects: &HashMap<u64, T>, kind: &str) -> Result<Vec<T>> {
    let find =
        |id: &u64| objects.get(id).cloned().ok_or_else(|| Problem::unknown(kind, &id.to_string()));
    ids.iter().map(find).collect()
}
