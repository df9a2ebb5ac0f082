//! From the JSON of an embeddings endpoint to vectors, each checked and in the order of the texts.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

use super::EmbedShape;

/// The vectors of `count` texts; an error says what is wrong with the answer.
pub(super) fn vectors(shape: EmbedShape, body: &Value, count: usize) -> Result<Vec<Vec<f32>>, String> {
    let vectors = match shape {
        EmbedShape::OpenAi => by_index(body, count)?,
        EmbedShape::Tei => {
            let list = body.as_array().ok_or("expected a list with one vector for each text")?;
            list.iter().enumerate().map(|(at, vector)| numbers(vector, at)).collect::<Result<_, _>>()?
        }
    };
    if vectors.len() == count {
        Ok(vectors)
    } else {
        Err(format!("it has {} vectors for {count} texts", vectors.len()))
    }
}

/// `data[*].embedding` in the order of `data[*].index`; where no item has an index, in the order in which they stand.
fn by_index(body: &Value, count: usize) -> Result<Vec<Vec<f32>>, String> {
    let data = body.get("data").and_then(Value::as_array).ok_or("expected `data`, a list of embeddings")?;
    let mut places: Vec<Option<Vec<f32>>> = vec![None; count];
    for (at, item) in data.iter().enumerate() {
        let index = match item.get("index") {
            None | Some(Value::Null) => Some(at),
            Some(index) => index.as_u64().and_then(|index| usize::try_from(index).ok()),
        };
        let place = index.and_then(|index| places.get_mut(index));
        let place = place.ok_or_else(|| format!("`data[{at}].index` is none of 0 to {}", count.saturating_sub(1)))?;
        let embedding = item.get("embedding").ok_or_else(|| format!("`data[{at}]` has no `embedding`"))?;
        if place.replace(numbers(embedding, at)?).is_some() {
            return Err(format!("`data[{at}].index` stands there twice"));
        }
    }
    Ok(places.into_iter().flatten().collect())
}

/// One vector: a list of numbers, or its little-endian 32-bit floats as base64.
fn numbers(value: &Value, at: usize) -> Result<Vec<f32>, String> {
    let vector: Vec<f32> = match value {
        Value::Array(list) => list
            .iter()
            .map(|number| {
                #[expect(clippy::cast_possible_truncation, reason = "vectors are kept as 32-bit floats everywhere")]
                let number = number.as_f64().map(|number| number as f32);
                number.ok_or_else(|| format!("vector {at} holds something that is no number"))
            })
            .collect::<Result<_, _>>()?,
        Value::String(text) => {
            let bytes = STANDARD.decode(text).map_err(|error| format!("vector {at} is no base64: {error}"))?;
            let (floats, rest) = bytes.as_chunks::<4>();
            if !rest.is_empty() {
                return Err(format!("vector {at} has {} bytes, which is no whole number of floats", bytes.len()));
            }
            floats.iter().copied().map(f32::from_le_bytes).collect()
        }
        _ => return Err(format!("vector {at} is neither a list of numbers nor base64")),
    };
    if vector.is_empty() {
        return Err(format!("vector {at} is empty"));
    }
    match vector.iter().position(|number| !number.is_finite()) {
        Some(place) => {
            Err(format!("number {place} of vector {at} is {}, which no distance can be taken of", vector[place]))
        }
        None if vector.iter().all(|number| *number == 0.0) => {
            Err(format!("vector {at} is nothing but zeros, so it has no direction and no distance can be taken of it"))
        }
        None => Ok(vector),
    }
}
